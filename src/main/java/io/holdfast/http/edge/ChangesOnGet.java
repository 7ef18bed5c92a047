package io.holdfast.http.edge;

/** Marks a resource whose GET changes data. If the store fails, the change may or may not have happened. */
public interface ChangesOnGet {}
