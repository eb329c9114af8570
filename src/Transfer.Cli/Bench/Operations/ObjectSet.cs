using Transfer.Cli.Bench.Results;

namespace Transfer.Cli.Bench.Operations;

/// <summary>The objects that a benchmark works on.</summary>
/// <param name="Bucket">Their bucket.</param>
/// <param name="Prefix">What their keys begin with. Of generated ones, all that is below it is removed.</param>
/// <param name="IsGenerated">Whether they are made for the benchmark.</param>
/// <param name="Objects">The objects; of an operation that writes, those that it is to write.</param>
internal sealed record ObjectSet(string Bucket, string Prefix, bool IsGenerated, IReadOnlyList<StoredObject> Objects)
{
    public StoredObject this[long index] => Objects[(int)(index % Objects.Count)];

    /// <summary>The smallest size that is known; null where none is.</summary>
    public StoredObject? Smallest => Objects.Where(one => one.SizeBytes is not null).MinBy(one => one.SizeBytes);

    public StoredObject? Largest => Objects.Where(one => one.SizeBytes is not null).MaxBy(one => one.SizeBytes);

    public BenchObjects ToResult() => new(Bucket, Prefix, IsGenerated, Objects.Count, Smallest?.SizeBytes, Largest?.SizeBytes);
}
