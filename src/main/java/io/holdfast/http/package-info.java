/** HTTP: parse, call one service method, map the outcome. */
package io.holdfast.http;
