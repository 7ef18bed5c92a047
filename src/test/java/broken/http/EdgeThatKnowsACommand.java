package broken.http;

import broken.cli.CommandThatKnowsTheEdge;

public record EdgeThatKnowsACommand(CommandThatKnowsTheEdge command) {}
