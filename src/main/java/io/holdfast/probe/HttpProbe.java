package io.holdfast.probe;

import io.holdfast.power.AppProbe.Result;
import io.holdfast.power.AppProbe.Status;
import io.smallrye.mutiny.Uni;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.Optional;

/** Asks the app itself for the headers of its address. */
final class HttpProbe {
    private final HttpClient client;

    HttpProbe(HttpClient client) {
        this.client = client;
    }

    Uni<Result> http200(URI url) {
        return ask("HEAD", url).map(answer -> result(answer, HttpVerdicts.http200(answer)));
    }

    Uni<Result> cautious(URI url) {
        return ask("HEAD", url)
                .chain(answer -> HttpVerdicts.wantsGet(answer)
                        ? ask("GET", url)
                        : Uni.createFrom().item(answer))
                .map(answer -> result(answer, HttpVerdicts.cautious(answer)));
    }

    private Uni<HttpAnswer> ask(String method, URI url) {
        var request = HttpRequest.newBuilder(url)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return HeadersOnly.ask(client, request);
    }

    private static Result result(HttpAnswer answer, Status status) {
        return new Result(status, Optional.of(answer.code()), answer.method() + " was answered with " + answer.code());
    }
}
