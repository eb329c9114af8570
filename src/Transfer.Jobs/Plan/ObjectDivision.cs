using Transfer.S3.Copy;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>Divides huge objects into pieces that different workers copy, and all objects if the end of the job publishes them.</summary>
/// <param name="sides">The sides of the job.</param>
/// <param name="options">The options of the transfers.</param>
/// <param name="limit">The size above which an object is divided. A piece has about half of it.</param>
/// <param name="dividesAll">Whether smaller objects are divided, too: into one piece.</param>
internal sealed class ObjectDivision(JobSides sides, PlannedOptions options, long limit, bool dividesAll)
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
        if (item.Bytes <= limit && !dividesAll)
        {
            return [item];
        }

        // A file would have to be written by several machines, and a machine that was cut off could write to it after it is complete. Ranges of an object without
        // an ETag could be of several objects.
        if (sides.Target.IsLocal || (!sides.Source.IsLocal && (string.IsNullOrEmpty(item.ETag) || ETags.IsWeak(item.ETag))))
        {
            return Keep(item);
        }

        UploadPlan parts = UploadPlan.ForLength(item.Bytes, PartBytes, sides.Writer.Context.Settings.MaxUploadParts);
        int count = (int)Math.Clamp(limit / 2 / parts.PartSizeBytes, 1, int.MaxValue);
        if (parts.TotalParts is not { } total || (total <= count && !dividesAll) || parts.PartSizeBytes > Requests.TransferDefaults.MaxPartSizeBytes)
        {
            return Keep(item);
        }

        return GetPieces(item, parts.PartSizeBytes, total, count);
    }

    /// <summary>Leaves an object whole.</summary>
    /// <exception cref="TransferException">Thrown when it has to be divided.</exception>
    private IEnumerable<JobItem> Keep(JobItem item)
    {
        Undivided++;
        return dividesAll ? throw new TransferException($"{sides.Source.GetAddress(item.Name)} can't be published together with the others, because its store lists no ETag of it, or it is too large.") : [item];
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
