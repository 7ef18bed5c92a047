/** Clusters and jobs as items of a DynamoDB table, which change in one transaction with the locks of clusters. */
package io.holdfast.store.dynamodb.job;
