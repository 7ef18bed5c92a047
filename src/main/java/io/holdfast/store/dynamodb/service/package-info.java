/** Services, their history and the feed of their moves as items of a DynamoDB table, which change in one transaction. */
package io.holdfast.store.dynamodb.service;
