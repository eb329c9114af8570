namespace Transfer.S3;

/// <summary>How many files or objects of an operation ended in which way.</summary>
public readonly record struct Counts
{
    /// <summary>Gets the number of those that were copied or read or, in a dry run, would be. Directories count replaced targets here, too.</summary>
    public long Copied { get; init; }

    /// <summary>Gets the number of targets that were replaced because they differed.</summary>
    public long Replaced { get; init; }

    /// <summary>Gets the number of those that were deleted or, in a dry run, would be.</summary>
    public long Deleted { get; init; }

    /// <summary>Gets the number of those that are the same on both sides.</summary>
    public long Same { get; init; }

    /// <summary>Gets the number of those that were skipped because the target already exists.</summary>
    public long Skipped { get; init; }

    /// <summary>Gets the number of those that were skipped because they are archived (<see cref="ArchivedObjects.Skip"/>).</summary>
    public long Archived { get; init; }

    /// <summary>Gets the number of archived objects whose restoration was requested or is in progress (<see cref="ArchivedObjects.Restore"/>).</summary>
    public long Restoring { get; init; }

    /// <summary>Gets the number of targets that were left alone because something with their name exists at the source.</summary>
    public long Shielded { get; init; }

    /// <summary>Gets the number of targets that were not deleted because something else failed.</summary>
    public long Withheld { get; init; }

    /// <summary>Gets the number of those that were uploaded and not published, because something else failed (<see cref="PublishMode.AllAtOnce"/>).</summary>
    public long Unpublished { get; init; }

    /// <summary>Gets the number of those that were left alone because they have changed, or because something else would have been destroyed.</summary>
    public long Conflicts { get; init; }

    /// <summary>Gets the number of those that failed for another reason.</summary>
    public long Failed { get; init; }

    /// <summary>Gets the number of those whose contents differ.</summary>
    public long Different { get; init; }

    /// <summary>Gets the number of those that a comparison found only at the source.</summary>
    public long OnlyAtSource { get; init; }

    /// <summary>Gets the number of those that a comparison found only at the target.</summary>
    public long OnlyAtTarget { get; init; }

    /// <summary>Gets the number of those that could not be compared without reading content that can't or must not be read.</summary>
    public long NotCompared { get; init; }

    /// <summary>Gets the number of bytes that were copied, read, or compared.</summary>
    public long Bytes { get; init; }

    /// <summary>Gets the size of what was deleted, in bytes, as far as it is known.</summary>
    public long DeletedBytes { get; init; }

    /// <summary>Gets the number of copies whose content was verified.</summary>
    public long Verified { get; init; }

    /// <summary>Gets the number of copies that don't have all properties of their sources. <see cref="Outcome.LostProperties"/> names the properties.</summary>
    public long WithLostProperties { get; init; }

    /// <summary>Gets a value that indicates whether everything was done: nothing has failed, was withheld, is in conflict, or differs.</summary>
    public bool IsComplete => Withheld + Unpublished + Conflicts + Failed + Different + OnlyAtSource + OnlyAtTarget + NotCompared == 0;

    /// <summary>Adds two counts.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other one.</param>
    public static Counts operator +(Counts left, Counts right) => new()
    {
        Copied = left.Copied + right.Copied,
        Replaced = left.Replaced + right.Replaced,
        Deleted = left.Deleted + right.Deleted,
        Same = left.Same + right.Same,
        Skipped = left.Skipped + right.Skipped,
        Archived = left.Archived + right.Archived,
        Restoring = left.Restoring + right.Restoring,
        Shielded = left.Shielded + right.Shielded,
        Withheld = left.Withheld + right.Withheld,
        Unpublished = left.Unpublished + right.Unpublished,
        Conflicts = left.Conflicts + right.Conflicts,
        Failed = left.Failed + right.Failed,
        Different = left.Different + right.Different,
        OnlyAtSource = left.OnlyAtSource + right.OnlyAtSource,
        OnlyAtTarget = left.OnlyAtTarget + right.OnlyAtTarget,
        NotCompared = left.NotCompared + right.NotCompared,
        Bytes = left.Bytes + right.Bytes,
        DeletedBytes = left.DeletedBytes + right.DeletedBytes,
        Verified = left.Verified + right.Verified,
        WithLostProperties = left.WithLostProperties + right.WithLostProperties,
    };

    /// <summary>Adds two counts.</summary>
    /// <param name="left">One.</param>
    /// <param name="right">The other one.</param>
    public static Counts Add(Counts left, Counts right) => left + right;

    /// <summary>Counts one outcome.</summary>
    /// <param name="outcome">The outcome.</param>
    public static Counts Of(Outcome outcome)
    {
        ArgumentNullException.ThrowIfNull(outcome);
        bool isDone = outcome.Status is OutcomeStatus.Done or OutcomeStatus.Planned;
        bool isCopied = isDone && outcome.Operation is ObjectOperation.Copy or ObjectOperation.Replace;
        bool isDeleted = isDone && outcome.Operation == ObjectOperation.Delete;
        bool isCompared = outcome is { Operation: ObjectOperation.Compare, Status: OutcomeStatus.Same or OutcomeStatus.Different or OutcomeStatus.NotCompared };
        return new Counts
        {
            Copied = isDone && outcome.Operation == ObjectOperation.Copy ? 1 : 0,
            Replaced = isDone && outcome.Operation == ObjectOperation.Replace ? 1 : 0,
            Deleted = isDeleted ? 1 : 0,
            Same = Is(OutcomeStatus.Same),
            Skipped = Is(OutcomeStatus.Skipped),
            Archived = Is(OutcomeStatus.Archived),
            Restoring = Is(OutcomeStatus.Restoring),
            Shielded = Is(OutcomeStatus.Shielded),
            Conflicts = Is(OutcomeStatus.Conflict),
            Failed = Is(OutcomeStatus.Failed),
            Different = Is(OutcomeStatus.Different),
            OnlyAtSource = Is(OutcomeStatus.OnlyAtSource),
            OnlyAtTarget = Is(OutcomeStatus.OnlyAtTarget),
            NotCompared = Is(OutcomeStatus.NotCompared),
            Bytes = isCopied || isCompared ? outcome.Bytes : 0,
            DeletedBytes = isDeleted ? outcome.Bytes : 0,
            Verified = isCopied && outcome.Verdict is { IsVerified: true } ? 1 : 0,
            WithLostProperties = isCopied && outcome.LostProperties.Count > 0 ? 1 : 0,
        };

        int Is(OutcomeStatus status) => outcome.Status == status ? 1 : 0;
    }
}
