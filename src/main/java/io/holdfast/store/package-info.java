/** What every store shows of itself, and how one is chosen. */
package io.holdfast.store;
