namespace Transfer.Cli.Rendering;

/// <summary>What a comparison of a folder with a prefix came to, in objects.</summary>
internal sealed record ComparedJson(long Same, long Different, long MissingHere, long MissingThere, long NotCompared, long Failed);
