namespace Transfer.S3.Concurrency;

/// <summary>A request in flight that can be given up, so that others have its share of the link. It is sent again later.</summary>
internal interface ISurplusRequest
{
    /// <summary>Gives the request up. That is neither a failure nor an attempt.</summary>
    void GiveUp();
}
