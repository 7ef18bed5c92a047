/** What stands around Holdfast in tests and in the demo: small apps, and a database that is stopped and started. */
package io.holdfast.stage;
