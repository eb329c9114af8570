using Microsoft.Extensions.Logging;

namespace Transfer.S3.Trees;

/// <summary>Logs what is left out of the local directory of a call: the first of each kind, and their number at the end.</summary>
internal sealed class LeftOutFiles(ILogger logger)
{
    private long _links;
    private long _transferFiles;
    private string? _transferFile;

    /// <summary>Counts an entry that would be selected.</summary>
    public void Note(LeftOut why, string path)
    {
        switch (why)
        {
            case LeftOut.DanglingLink:
                if (++_links == 1)
                {
                    Log.DanglingLink(logger, path);
                }

                break;
            case LeftOut.TransferFile:
                _transferFiles++;
                _transferFile ??= path;
                break;
            case LeftOut.OwnFile:
                Log.OwnFile(logger, path);
                break;
            default:
                break; // links that are skipped on request
        }
    }

    /// <summary>Logs the numbers.</summary>
    public void LogCount()
    {
        if (_links > 1)
        {
            Log.DanglingLinks(logger, _links);
        }

        if (_transferFile is not null)
        {
            Log.TransferFiles(logger, _transferFiles, _transferFile);
        }

        (_links, _transferFiles, _transferFile) = (0, 0, null);
    }
}
