package broken.registry;

import broken.http.EdgeThatIsKnown;

public record RegistryThatKnowsTheEdge(EdgeThatIsKnown edge) {}
