using System.Text.Json.Serialization;
using Transfer.S3.Files;
using Transfer.S3.Trees;

namespace Transfer.S3.Jobs;

/// <summary>One object of a job, or a piece of a huge one: a line of a shard.</summary>
/// <param name="Name">The name, relative to both sides.</param>
/// <param name="Bytes">The size of the object.</param>
internal sealed record JobItem(string Name, long Bytes)
{
    /// <summary>The cost of the requests of one object, in bytes: about as many as are transferred in the same time.</summary>
    public const long ObjectCost = Sizes.MiB;

    /// <summary>Gets the ETag that an object must have when it is read; null for a file, or if the store lists none.</summary>
    [JsonPropertyName("etag")]
    public string? ETag { get; init; }

    /// <summary>Gets the ID of the version to read; null for the current one.</summary>
    public string? Version { get; init; }

    /// <summary>Gets the last-write time that a file must have when it is read, in UTC ticks; 0 for an object.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Modified { get; init; }

    /// <summary>Gets the time of the last change that a file must have when it is read, in UTC ticks; 0 for any.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public long Changed { get; init; }

    /// <summary>Gets the number that a file must have in its file system; 0 if it has none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public ulong Inode { get; init; }

    /// <summary>Gets the target that is replaced; null if there must be none.</summary>
    public JobTarget? Target { get; init; }

    /// <summary>Gets the parts that the item copies, if the object is so large that several items copy it; null for a whole object.</summary>
    public JobPiece? Piece { get; init; }

    /// <summary>Gets the number of bytes that the item copies.</summary>
    [JsonIgnore]
    public long CopiedBytes => Piece is { } piece ? Math.Min(piece.GetOffset(piece.Last + 1), Bytes) - piece.Offset : Bytes;

    [JsonIgnore]
    public long Cost => CopiedBytes + ObjectCost;

    /// <summary>Gets the source as a synchronization knows it.</summary>
    public TreeEntry ToSource(Place source) => new(Name, Bytes)
    {
        ETag = ETag,
        VersionId = Version,
        Path = source.IsLocal ? source.GetAddress(Name) : null,
        LastWrite = Modified,
        Pin = source.IsLocal && !Name.EndsWith('/') ? new FileIdentity(Bytes, Modified, Changed, Inode) : null,
    };

    /// <summary>Returns the item for the state in which its file is.</summary>
    public JobItem For(FileIdentity file) => this with { Bytes = file.Length, Modified = file.LastWrite, Changed = file.ContentChanged, Inode = file.Inode };

    /// <summary>Gets the target as a synchronization knows it; null if there must be none.</summary>
    public TreeEntry? ToTarget(Place target) => Target is null ? null : new TreeEntry(Name, Target.Bytes)
    {
        ETag = Target.ETag,
        Path = target.IsLocal ? target.GetAddress(Name) : null,
        LastWrite = Target.Modified,
        State = target.IsLocal ? new FileIdentity(Target.Bytes, Target.Modified, Target.Changed, 0) : null,
    };
}
