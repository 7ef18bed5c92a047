package io.holdfast.probe;

import java.net.URI;
import java.util.Optional;

/**
 * The headers of an answer that a probe needs.
 *
 * @param location the header {@code Location}, unparsed
 */
record HttpAnswer(String method, URI url, int code, Optional<String> location) {}
