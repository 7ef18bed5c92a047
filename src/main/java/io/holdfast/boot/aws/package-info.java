/** Clients and credentials of AWS, and the administration of the DynamoDB table. */
package io.holdfast.boot.aws;
