/** The few words that every capability speaks. Knows nobody. */
package io.holdfast.kernel;
