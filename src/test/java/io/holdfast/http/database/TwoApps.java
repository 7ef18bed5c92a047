package io.holdfast.http.database;

import static io.holdfast.http.database.PowerCalls.registered;

import io.holdfast.stage.FakeMachine;
import io.holdfast.stage.SmallApp;
import io.holdfast.stage.Webhook;

/** A database behind a webhook, and two apps that share it, all of them up and registered. */
public final class TwoApps implements AutoCloseable {
    final FakeMachine machine = new FakeMachine();
    final Webhook webhook = new Webhook(machine);
    public final SmallApp a = new SmallApp();
    final SmallApp b = new SmallApp();
    public final String db = registered(webhook);
    public final String aName = registered("a", a, db);
    public final String bName = registered("b", b, db);

    @Override
    public void close() {
        webhook.close();
        a.close();
        b.close();
    }
}
