package broken.lock;

import broken.http.EdgeThatIsKnown;
import broken.kernel.KernelThatKnowsLocks;
import io.opentelemetry.api.trace.Tracer;
import io.vertx.core.buffer.Buffer;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import java.sql.Connection;
import java.time.Instant;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

public final class LockThatKnowsEverything {
    static final Buffer MADE_TOO_EARLY = Buffer.buffer();

    @Inject
    EdgeThatIsKnown edge;

    KernelThatKnowsLocks kernel;
    DynamoDbAsyncClient client;
    Tracer tracer;
    Response response;
    Connection connection;

    Instant now() {
        return Instant.now();
    }
}
