package broken.cli;

import broken.http.EdgeThatIsKnown;

public record CommandThatKnowsTheEdge(EdgeThatIsKnown edge) {}
