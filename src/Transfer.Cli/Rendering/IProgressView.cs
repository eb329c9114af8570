namespace Transfer.Cli.Rendering;

/// <summary>Shows how far a transfer is. Disposing it leaves the place clean for what is written next.</summary>
internal interface IProgressView : IProgress<TransferProgress>, IDisposable;
