/** Encodings that both stores share. Knows the values that it encodes. */
package io.holdfast.store.codec;
