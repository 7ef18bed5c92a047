package io.holdfast.power;

import jakarta.inject.Singleton;

/** What power reaches of the world: apps, databases, and whoever wants to know. */
@Singleton
public record Outside(AppProbe probe, Actuator actuator, DatabaseAnswers answers, PowerListener listener) {}
