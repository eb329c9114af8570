
namespace Transfer.S3.Trees;

/// <summary>How a side is read.</summary>
/// <param name="Filter">Tells which folders don't have to be read.</param>
internal sealed record SideReading(PathFilter Filter)
{
    /// <summary>Gets a value that indicates whether the entries are returned in the order of the bytes of their names.</summary>
    public bool IsOrdered { get; init; } = true;

    /// <summary>Gets a value that indicates whether it is logged what of the selection isn't content.</summary>
    public bool LogsLeftOut { get; init; } = true;

    /// <summary>Gets a value that indicates whether objects with the names of files of transfers aren't content, because the other side is a folder.</summary>
    public bool LeavesOutTransferFiles { get; init; }

    /// <summary>Gets a value that indicates whether a directory is empty if it only has hidden entries.</summary>
    public bool IgnoresHidden { get; init; }

    /// <summary>Gets the time whose objects are listed; null for now.</summary>
    public DateTimeOffset? AsOf { get; init; }

    /// <summary>Gets the list of the objects to read; null to list them.</summary>
    public IAsyncEnumerable<ObjectKey>? Keys { get; init; }

    /// <summary>Gets a value that indicates whether the store is asked for the states of restorations.</summary>
    public bool WithRestoreStates { get; init; }

    /// <summary>Gets what receives objects whose keys don't begin with the prefix; null to fail.</summary>
    public Action<ListedObject>? Outside { get; init; }
}
