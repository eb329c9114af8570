using Transfer.S3.Bench.Results;

namespace Transfer.S3.Bench.Operations;

/// <summary>The objects that a benchmark works on.</summary>
/// <param name="Bucket">Their bucket.</param>
/// <param name="Prefix">The prefix of their keys. Everything under the prefix of generated objects is deleted.</param>
/// <param name="IsGenerated">Whether they are created for the benchmark.</param>
/// <param name="Objects">The objects, or those to upload.</param>
internal sealed record ObjectSet(string Bucket, string Prefix, bool IsGenerated, IReadOnlyList<StoredObject> Objects)
{
    public StoredObject this[long index] => Objects[(int)(index % Objects.Count)];

    /// <summary>Gets the object with the smallest known size; null if no size is known.</summary>
    public StoredObject? Smallest => Objects.Where(one => one.SizeBytes is not null).MinBy(one => one.SizeBytes);

    public StoredObject? Largest => Objects.Where(one => one.SizeBytes is not null).MaxBy(one => one.SizeBytes);

    public BenchObjects ToResult() => new(Bucket, Prefix, IsGenerated, Objects.Count, Smallest?.SizeBytes, Largest?.SizeBytes);
}
