using System.Text.Json.Serialization;

namespace Transfer.S3.Jobs;

/// <summary>Some consecutive parts of a huge object, which are an item of their own.</summary>
/// <param name="Object">The number of the object among those of the plan that are divided, from 0.</param>
/// <param name="PartBytes">The size of all parts of the object but the last one. It is the same for all pieces, because some stores accept only equal parts.</param>
/// <param name="First">The number of the first part, from 1.</param>
/// <param name="Last">The number of the last part.</param>
internal sealed record JobPiece(int Object, long PartBytes, int First, int Last)
{
    /// <summary>Gets the offset of the piece in the object.</summary>
    [JsonIgnore]
    public long Offset => GetOffset(First);

    /// <summary>Gets the offset of a part in the object.</summary>
    public long GetOffset(int part) => (part - 1) * PartBytes;

    /// <summary>Gets the size of a part of an object.</summary>
    public long GetSize(int part, long objectBytes) => Math.Min(PartBytes, objectBytes - GetOffset(part));
}
