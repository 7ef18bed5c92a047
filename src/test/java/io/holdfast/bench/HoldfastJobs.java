package io.holdfast.bench;

import io.holdfast.boot.PackagedProgram;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/** The packaged program on its embedded store, over HTTP. */
final class HoldfastJobs implements JobSystem {
    private static final String SUBMISSION = "{\"type\":\"SCALE_WORKERS\",\"params\":{\"workers\":3}}";
    private static final int CREATED = 201;
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;

    private final PackagedProgram program = PackagedProgram.startAsMakeRunDoes(
            Map.of("HOLDFAST_DATA_DIR", PackagedProgram.newDataFolder().toString()));

    @Override
    public String name() {
        return "Holdfast, embedded store";
    }

    @Override
    public void prepare(int clusters) throws Exception {
        try (var worker = new HttpWorker(program.address(), "maker")) {
            for (var i = 0; i < clusters; i++) {
                worker.create(i);
            }
        }
    }

    @Override
    public Worker connect(int number) throws Exception {
        return new HttpWorker(program.address(), "worker-" + number);
    }

    @Override
    public void close() {
        program.close();
    }

    private static final class HttpWorker implements Worker {
        private final HttpConnection connection;
        private final String request;

        HttpWorker(URI address, String name) throws IOException {
            this.connection = new HttpConnection(address);
            this.request = "{\"worker\":\"" + name + "\",\"wait\":\"30s\"}";
        }

        /** A cluster that is READY, so that it accepts any number of SCALE_WORKERS. */
        void create(int cluster) throws IOException {
            var body = "{\"id\":\"c-%d\",\"name\":\"c-%d\",\"platform\":\"aws\",\"base_domain\":\"example.com\"}"
                    .formatted(cluster, cluster);
            connection.post("/v1/clusters", body).expect(CREATED);
            connection.post(path(cluster), "{\"type\":\"CREATE\"}").expect(CREATED);
            complete(claim());
        }

        @Override
        public void submit(int cluster) throws IOException {
            connection.post(path(cluster), SUBMISSION).expect(CREATED);
        }

        private static String path(int cluster) {
            return "/v1/clusters/c-" + cluster + "/jobs";
        }

        @Override
        public Claimed claim() throws IOException {
            var answer = connection.post("/v1/jobs/claim", request);
            while (answer.status() == NO_CONTENT) {
                answer = connection.post("/v1/jobs/claim", request);
            }
            answer.expect(OK);
            return new Claimed(answer.first("id"), Long.parseLong(answer.first("epoch")));
        }

        @Override
        public void complete(Claimed claimed) throws IOException {
            connection
                    .post("/v1/jobs/" + claimed.job() + "/complete", "{\"epoch\":" + claimed.epoch() + "}")
                    .expect(OK);
        }

        @Override
        public void close() throws IOException {
            connection.close();
        }
    }
}
