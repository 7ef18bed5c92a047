package io.holdfast.http;

import static io.holdfast.http.PowerCalls.registered;

import io.holdfast.stage.MadeUpMachine;
import io.holdfast.stage.SmallApp;
import io.holdfast.stage.Webhook;

/** A database behind a webhook, and two apps that share it, all of them up and registered. */
final class TwoApps implements AutoCloseable {
    final MadeUpMachine machine = new MadeUpMachine();
    final Webhook webhook = new Webhook(machine);
    final SmallApp a = new SmallApp();
    final SmallApp b = new SmallApp();
    final String db = registered(webhook);
    final String aName = registered("a", a, db);
    final String bName = registered("b", b, db);

    @Override
    public void close() {
        webhook.close();
        a.close();
        b.close();
    }
}
