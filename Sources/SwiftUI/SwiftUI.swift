// An app that imports SwiftUI sees all of this without asking for it, as it does elsewhere.
@_exported public import CoreTransferable
@_exported public import Foundation
@_exported public import Observation
@_exported public import UIKit
