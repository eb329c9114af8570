namespace Transfer.S3.Cli.Options;

/// <summary>What a copy copies from where to where. It decides which options have a meaning.</summary>
/// <param name="IsRecursive">Whether it copies a folder or a prefix.</param>
/// <param name="IsSeveral">Whether it copies several sources without -r.</param>
/// <param name="HasTwoStores">Whether the source and the target are in different stores.</param>
/// <param name="Sources">The kinds of the sources.</param>
/// <param name="Target">The kind of the target.</param>
internal sealed record CopyCase(bool IsRecursive, bool IsSeveral, bool HasTwoStores, IReadOnlyList<LocationKind> Sources, LocationKind Target)
{
    public bool IsOne => !IsRecursive && !IsSeveral;

    public bool Uploads => Target == LocationKind.S3 && Sources.Any(kind => kind != LocationKind.S3);

    public bool ReadsFiles => Sources.Contains(LocationKind.Local);

    public bool Downloads => Target != LocationKind.S3;

    public bool WritesFiles => Target == LocationKind.Local;

    public bool CopiesObjects => Target == LocationKind.S3 && Sources.Contains(LocationKind.S3);

    /// <summary>Gets the case in messages.</summary>
    /// <param name="isInside">Whether the store copies the objects.</param>
    public string Describe(bool isInside)
    {
        string what = CopiesObjects ? HasTwoStores ? "a copy from one store to another" : isInside ? "a copy inside the store" : "a copy through this machine"
            : Downloads ? WritesFiles ? "a download" : "a download to standard output"
            : ReadsFiles ? "an upload" : "an upload from standard input";
        return IsRecursive ? $"{what} with -r" : IsSeveral ? $"{what} of several sources" : what;
    }
}
