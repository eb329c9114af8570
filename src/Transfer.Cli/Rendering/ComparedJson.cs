namespace Transfer.S3.Cli.Rendering;

/// <summary>The result of a comparison of a folder with a prefix: numbers of objects.</summary>
internal sealed record ComparedJson(long Same, long Different, long MissingHere, long MissingThere, long NotCompared, long Failed)
{
    public static ComparedJson From(Counts counts) => new(counts.Same, counts.Different, counts.OnlyAtTarget, counts.OnlyAtSource, counts.NotCompared, counts.Failed);
}
