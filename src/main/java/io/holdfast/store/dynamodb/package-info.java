/**
 * The DynamoDB store: one table for many replicas. Subpackages have the items of locks, of databases, and the calls.
 */
package io.holdfast.store.dynamodb;
