/** Calls to DynamoDB: retries, timeouts, the clock guard, keys and attributes. Knows no item. */
package io.holdfast.store.dynamodb.call;
