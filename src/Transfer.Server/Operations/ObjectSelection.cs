using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>The part of an object that a GET or HEAD request selects.</summary>
/// <param name="Range">The bytes.</param>
/// <param name="IsPartial">Whether the response has status 206.</param>
/// <param name="PartNumber">The requested part number; null if there is none.</param>
internal sealed record ObjectSelection(ByteRange Range, bool IsPartial, int? PartNumber)
{
    public static ObjectSelection From(S3Exchange exchange, StoredObject value)
    {
        int? partNumber = exchange.Target.Query.Integer("partNumber", 1, ServerDefaults.MaximumPartNumber);
        string? rangeHeader = exchange.Header("range");
        if (partNumber is int number)
        {
            return rangeHeader is null
                ? new ObjectSelection(PartRange(value, number), IsPartial: true, number)
                : throw S3Errors.InvalidRequest("Cannot specify both Range header and partNumber query parameter");
        }

        ByteRange? range = ByteRange.Resolve(rangeHeader, value.Size);
        return new ObjectSelection(range ?? new ByteRange(0, value.Size), range is not null, PartNumber: null);
    }

    /// <summary>Gets the part that equals the selection; null if there is none.</summary>
    public ObjectPart? ExactPart(StoredObject value)
    {
        long offset = 0;
        foreach (ObjectPart part in value.Parts)
        {
            if (offset == Range.Offset && part.Size == Range.Count)
            {
                return part;
            }

            if (offset > Range.Offset)
            {
                break;
            }

            offset += part.Size;
        }

        return null;
    }

    private static ByteRange PartRange(StoredObject value, int number)
    {
        if (value.Parts.Count == 0)
        {
            return number == 1 ? new ByteRange(0, value.Size) : throw S3Errors.InvalidPartNumber(number, 1);
        }

        long offset = 0;
        foreach (ObjectPart part in value.Parts)
        {
            if (part.Number == number)
            {
                return new ByteRange(offset, part.Size);
            }

            offset += part.Size;
        }

        throw S3Errors.InvalidPartNumber(number, value.Parts.Count);
    }
}
