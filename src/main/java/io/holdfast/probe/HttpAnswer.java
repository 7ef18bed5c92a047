package io.holdfast.probe;

import java.net.URI;
import java.util.Optional;

/**
 * What came back, without its body.
 *
 * @param asked the address that was asked
 * @param location where the answer points to, as it was sent
 */
record HttpAnswer(String method, URI asked, int code, Optional<String> location) {}
