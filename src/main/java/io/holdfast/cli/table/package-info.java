/** The command {@code table}: checks and creates the DynamoDB table. */
package io.holdfast.cli.table;
