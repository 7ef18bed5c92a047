package io.holdfast.probe;

import io.holdfast.power.port.DatabaseAnswers;
import io.holdfast.registry.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import jakarta.inject.Singleton;

/** Opens a connection to the port of a database. A database without a port counts as accepting connections. */
@Singleton
public class TcpAnswers implements DatabaseAnswers {
    private final Vertx vertx;
    private final ProbeConfig config;

    TcpAnswers(Vertx vertx, ProbeConfig config) {
        this.vertx = vertx;
        this.config = config;
    }

    @Override
    public Uni<Boolean> answers(Database database) {
        var address = database.address();
        return address.port().map(port -> connects(address.host(), port)).orElseGet(() -> Uni.createFrom()
                .item(true));
    }

    private Uni<Boolean> connects(String host, int port) {
        var options = new NetClientOptions()
                .setConnectTimeout(Math.toIntExact(config.timeout().toMillis()));
        return Uni.createFrom()
                .<Boolean>emitter(emitter -> {
                    var client = vertx.createNetClient(options);
                    client.connect(port, host).compose(socket -> socket.close()).onComplete(result -> {
                        client.close();
                        emitter.complete(result.succeeded());
                    });
                })
                .onFailure()
                .recoverWithItem(false);
    }
}
