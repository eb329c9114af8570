using System.Buffers;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Several ways of performing the same operation. The others are compared with the first one.</summary>
/// <param name="Name">The name on the command line.</param>
/// <param name="Sizes">The default sizes of objects, in bytes.</param>
/// <param name="Contenders">The contenders.</param>
internal sealed record Contest(string Name, IReadOnlyList<long> Sizes, IReadOnlyList<Contender> Contenders)
{
    /// <summary>Gets the description for the help.</summary>
    public required string Description { get; init; }

    /// <summary>Gets the figures to show in addition to those of all contests.</summary>
    public IReadOnlyList<Figure> Figures { get; init; } = [];

    /// <summary>Gets a value that indicates whether the contest only uploads, so that the server needs no objects.</summary>
    public bool IsUpload { get; init; }

    /// <summary>Gets a value that indicates whether the objects and files are too large for memory, so that the embedded server and the contenders have them on the disk.</summary>
    public bool IsOnDisk { get; init; }

    /// <summary>Gets the content of an object of the given size.</summary>
    public Func<long, ReadOnlySequence<byte>> Content { get; init; } = TestData.Create;

    /// <summary>Gets the number of runs of a measurement; null to repeat runs of one object until they have transferred enough.</summary>
    public int? Runs { get; init; }

    /// <summary>Gets the number of objects that one run transfers. It is more than one only if the cost of each object matters.</summary>
    public int ObjectsPerRun { get; init; } = 1;

    /// <summary>Gets the same contest with another number of objects; null if the number is fixed.</summary>
    public Func<int, Contest>? OfObjects { get; init; }

    /// <summary>Gets a value that indicates whether the server holds the tree twice; see <see cref="Tree.CopyPrefix"/>.</summary>
    public bool HasCopy { get; init; }

    /// <summary>Gets a value that indicates whether the objects have different keys, instead of being the same object.</summary>
    public bool IsTree { get; init; }

    /// <summary>Gets the size of an object beside the tree, in bytes; null for none.</summary>
    public long? LargeBytes { get; init; }

    /// <summary>
    /// Gets the numbers of equal pieces into which contenders divide a run: smaller objects or,
    /// for a tree, smaller trees. The server holds one object
    /// or tree of each size.
    /// </summary>
    public IReadOnlyList<int> Pieces { get; init; } = [1];

    /// <summary>
    /// Gets the time until the JIT compiler has optimized hot code in the background, which is longer if a run consists of many small operations.
    /// It is null if a new process is measured.
    /// </summary>
    public TimeSpan? WarmUp { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Gets the default servers.</summary>
    public IReadOnlyList<ServerKind> Servers { get; init; } = [ServerKind.Embedded, ServerKind.Slow, ServerKind.Nginx];
}
