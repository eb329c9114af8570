using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>A line of the journal of a publication.</summary>
internal sealed record PublicationLine
{
    public const int CurrentFormat = 2;

    /// <summary>Gets the version of the format. Only the first line has it.</summary>
    public int? Format { get; init; }

    /// <summary>Gets the key of an upload that is about to be created or, with an ID, was created.</summary>
    public string? Key { get; init; }

    /// <summary>Gets when the upload is about to be created, by the clock of this machine.</summary>
    public DateTimeOffset? Announced { get; init; }

    public string? UploadId { get; init; }

    /// <summary>Gets parts of the item that one of the next lines has. A line has few of them, because its length is limited.</summary>
    public IReadOnlyList<UploadedPart>? Parts { get; init; }

    /// <summary>Gets an item whose object is to be published.</summary>
    public StagedItem? Item { get; init; }

    /// <summary>Gets a value that indicates whether the first object is about to be published, so that all others have to be published, too.</summary>
    public bool? Commits { get; init; }

    /// <summary>Gets a value that indicates whether an item can't be published, so that those that come last aren't, either.</summary>
    public bool? Fails { get; init; }

    /// <summary>Gets the numbers of items that were published, or can't be, in the order of the journal, from 0.</summary>
    public IReadOnlyList<long>? Ended { get; init; }
}
