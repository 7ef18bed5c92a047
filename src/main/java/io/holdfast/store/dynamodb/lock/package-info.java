/** Locks as items of a DynamoDB table. Knows {@code call}. */
package io.holdfast.store.dynamodb.lock;
