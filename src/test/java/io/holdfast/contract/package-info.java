/** Holds {@code contract/openapi.yaml} and the code together, both ways. */
package io.holdfast.contract;
