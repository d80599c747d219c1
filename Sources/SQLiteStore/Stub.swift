import CSQLite
import CZlib
