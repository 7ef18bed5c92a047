package broken.power;

import broken.http.EdgeThatIsKnown;

public record PowerThatKnowsTheEdge(EdgeThatIsKnown edge) {}
