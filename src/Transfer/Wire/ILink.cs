namespace Transfer.S3.Wire;

/// <summary>The way to the store, below its requests.</summary>
internal interface ILink
{
    /// <summary>Returns whether the other end of the latest connection can be reached now, by opening another one, which is closed at once.</summary>
    /// <param name="cancellationToken">The token that ends the attempt.</param>
    /// <returns><see langword="false"/> if nothing responds; <see langword="true"/> also if the connection is refused.</returns>
    Task<bool> ProbeAsync(CancellationToken cancellationToken);

    /// <summary>Begins again to open the connections that are being opened, because the system repeats their packets at ever longer intervals.</summary>
    void Redial();
}
