/** Encodings that both stores share. */
package io.holdfast.store.codec;
