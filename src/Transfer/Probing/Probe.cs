using Transfer.S3.Stores;

namespace Transfer.S3.Probing;

/// <summary>Finds out whether a store supports something.</summary>
/// <param name="Name">The name of the ability. It doesn't change in later versions.</param>
/// <param name="Description">A description of a few words.</param>
/// <param name="RunAsync">Sends the requests. It throws only for errors that have nothing to do with the ability.</param>
internal sealed record Probe(string Name, string Description, Func<ProbeArea, CancellationToken, Task<Finding>> RunAsync)
{
    /// <summary>Gets the trait that the ability is for transfers; null if they don't use it, or learn it from the requests of the probe.</summary>
    public StoreTrait? Trait { get; init; }

    /// <summary>Gets the names of the abilities that this one requires.</summary>
    public string[] Requires { get; init; } = [];

    /// <summary>Gets a value that indicates whether transfers treat a store that ignores it as one that refuses it.</summary>
    public bool RefusedIfIgnored { get; init; }

    /// <summary>Gets a value that indicates whether the trait is known for all buckets.</summary>
    public bool IsOfEveryBucket { get; init; }
}
