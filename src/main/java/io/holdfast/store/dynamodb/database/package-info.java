/**
 * The registry and the power state as items of a DynamoDB table. Both write the item of a database, so they share a
 * package.
 */
package io.holdfast.store.dynamodb.database;
