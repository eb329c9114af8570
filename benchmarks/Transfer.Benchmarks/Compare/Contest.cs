namespace Transfer.Benchmarks.Compare;

/// <summary>Several ways of doing the same thing; the first is what the others are compared with.</summary>
/// <param name="Name">As the command line names it.</param>
/// <param name="Sizes">Sizes of objects, in bytes, unless the command line names some.</param>
/// <param name="Contenders">The ways.</param>
internal sealed record Contest(string Name, IReadOnlyList<long> Sizes, IReadOnlyList<Contender> Contenders)
{
    /// <summary>What it measures, for the help.</summary>
    public required string Description { get; init; }

    /// <summary>Numbers that it shows beside the usual ones.</summary>
    public IReadOnlyList<Figure> Figures { get; init; } = [];

    /// <summary>Whether it only uploads, so that the server needs no objects.</summary>
    public bool IsUpload { get; init; }

    /// <summary>Objects that one run moves: more than one only where it is the work per object that counts.</summary>
    public int ObjectsPerRun { get; init; } = 1;

    /// <summary>Whether these are so many objects with keys of their own, and not one again and again.</summary>
    public bool IsTree { get; init; }

    /// <summary>
    /// The numbers of equal pieces that contenders divide a run into: smaller objects or, of a tree, smaller trees. The server holds one object or tree of each size.
    /// </summary>
    public IReadOnlyList<int> Pieces { get; init; } = [1];

    /// <summary>Until the compiler has seen what is hot and has optimised it behind our back: longer where a run is many small things. Null where a new process is what is measured.</summary>
    public TimeSpan? WarmUp { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>The servers that it is measured on, unless the command line names some.</summary>
    public IReadOnlyList<ServerKind> Servers { get; init; } = [ServerKind.Embedded, ServerKind.Slow, ServerKind.Nginx];
}
