using Transfer.S3.Copy;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>Divides huge objects into pieces that different workers copy.</summary>
/// <param name="sides">The sides of the job.</param>
/// <param name="options">The options of the transfers.</param>
/// <param name="limit">The size above which an object is divided. A piece has about half of it.</param>
internal sealed class ObjectDivision(JobSides sides, PlannedOptions options, long limit)
{
    /// <summary>Gets the number of objects that were divided.</summary>
    public int Divided { get; private set; }

    /// <summary>Gets the number of huge objects that could not be divided.</summary>
    public long Undivided { get; private set; }

    /// <summary>Gets the number of pieces.</summary>
    public long Pieces { get; private set; }

    /// <summary>Gets the items of an object.</summary>
    public IEnumerable<JobItem> Divide(JobItem item)
    {
        if (item.Bytes <= limit)
        {
            return [item];
        }

        // A file would have to be written by several machines, and a machine that was cut off could write to it after it is complete. Ranges of an object without
        // an ETag could be of several objects.
        if (sides.Target.IsLocal || (!sides.Source.IsLocal && (string.IsNullOrEmpty(item.ETag) || ETags.IsWeak(item.ETag))))
        {
            Undivided++;
            return [item];
        }

        UploadPlan parts = UploadPlan.ForLength(item.Bytes, PartBytes, sides.Writer.Context.Settings.MaxUploadParts);
        int count = (int)Math.Clamp(limit / 2 / parts.PartSizeBytes, 1, int.MaxValue);
        if (parts.TotalParts is not { } total || total <= count || parts.PartSizeBytes > Requests.TransferDefaults.MaxPartSizeBytes)
        {
            Undivided++;
            return [item];
        }

        return GetPieces(item, parts.PartSizeBytes, total, count);
    }

    private long PartBytes => sides switch
    {
        { Source.IsLocal: false, Other: null } => options.Copy?.PartSizeBytes ?? CopyPlan.DefaultPartSizeBytes,
        _ => options.Upload?.PartSizeBytes ?? sides.Writer.Context.Settings.UploadPartSizeBytes,
    };

    private IEnumerable<JobItem> GetPieces(JobItem item, long partBytes, int total, int count)
    {
        int number = Divided++;
        for (int first = 1; first <= total; first += count)
        {
            Pieces++;
            yield return item with { Piece = new JobPiece(number, partBytes, first, Math.Min(total, first + count - 1)) };
        }
    }
}
