/** What all commands build on: the root command, the environment of the process, commands that call the API. */
package io.holdfast.cli.base;
