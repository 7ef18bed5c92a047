package io.holdfast.access.file;

/**
 * A token that the file knows by its hash.
 *
 * @param sha256 in hexadecimal, lower case
 */
public record StaticToken(String name, String sha256) {}
