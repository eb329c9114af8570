namespace Transfer.Cli.Rendering;

/// <summary>Shows how far a transfer is. Disposing it leaves the place clean for what is written next.</summary>
internal interface IProgressView : IProgress<TransferProgress>, IDisposable
{
    /// <summary>Writes something else meanwhile, with what is shown out of its way.</summary>
    void Aside(Action write) => write();
}
