/** Locks as items of a DynamoDB table. */
package io.holdfast.store.dynamodb.lock;
